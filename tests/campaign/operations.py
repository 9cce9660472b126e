"""Crash and full disk at every change of the disk: tests/fault_test.py, which tries only some of them for itself."""

import time
import unittest

import fault_test

CLASSES = [fault_test.Crash, fault_test.FullDisk, fault_test.Products]


def campaign():
    begun = time.monotonic()
    fault_test.MOST_OF_A_PRODUCT, fault_test.STEP_ON_A_FULL_DISK = 10**9, 1
    fault_test.tried.clear()
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(load(c) for c in CLASSES))
    rows = [[test.removeprefix("fault_test.").replace("test_", "").replace("_", " ").replace(".", ": "), operations, tries]
            for test, operations, tries in fault_test.tried]
    return {"seconds": round(time.monotonic() - begun), "rows": rows,
            "lost": [f"{test.id()}: {text.splitlines()[-1]}" for test, text in result.failures + result.errors]}
