# Checks of the source tree and of ./silt: no C++, no library.
find_program(SILT_PYTHON NAMES python3 REQUIRED)
add_test(NAME include_check COMMAND "${SILT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/include_check.py")
add_test(NAME include_check_selftest COMMAND "${SILT_PYTHON}" "${PROJECT_SOURCE_DIR}/tests/include_check.py" --selftest)
add_test(NAME silt_script COMMAND "${PROJECT_SOURCE_DIR}/tests/silt_script_test")
set_tests_properties(include_check include_check_selftest silt_script PROPERTIES LABELS checks TIMEOUT 120)
