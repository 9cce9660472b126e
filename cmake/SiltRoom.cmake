# silt_room(NAME <room> [KERNELS <src>...] [HOST <src>...] [CUDA <src>...] [TESTS <src>...] [RUNS <src>...]
#           [NEEDS <room or library>...])
#
# A room is one static library, silt_<room>, and one or two test programs, test_<room> and test_<room>_runs.
#   KERNELS  per-cell and per-particle code: g++ compiles it, or nvcc when SILT_CUDA is on.
#   HOST     never seen by nvcc.
#   CUDA     .cu files, only in a CUDA build.
#   TESTS    GoogleTest sources beside the code they test; each TEST becomes a ctest of label `unit`.
#   RUNS     the same for tests of whole runs, which take seconds: label `physics`, not run under the sanitizers.
add_custom_target(unit_tests)  # every test program of label `unit`

function(silt_room)
  cmake_parse_arguments(ROOM "" "NAME" "KERNELS;HOST;CUDA;TESTS;RUNS;NEEDS" ${ARGN})
  set(target silt_${ROOM_NAME})
  set(sources ${ROOM_KERNELS} ${ROOM_HOST})
  if(SILT_CUDA)
    set_source_files_properties(${ROOM_KERNELS} PROPERTIES LANGUAGE CUDA)
    list(APPEND sources ${ROOM_CUDA})
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC silt_flags ${ROOM_NEEDS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE silt_flags ${ROOM_NEEDS})
  endif()
  if(SILT_TESTS AND NOT SILT_KERNELS_ONLY)
    if(ROOM_TESTS)
      silt_test_program(NAME test_${ROOM_NAME} SOURCES ${ROOM_TESTS} NEEDS ${target} LABELS unit)
    endif()
    if(ROOM_RUNS)
      silt_test_program(NAME test_${ROOM_NAME}_runs SOURCES ${ROOM_RUNS} NEEDS ${target} LABELS physics)
    endif()
  endif()
endfunction()

# silt_test_program(NAME <name> SOURCES <src>... NEEDS <target>... LABELS <label>... [TIMEOUT <s>])
function(silt_test_program)
  cmake_parse_arguments(T "" "NAME;TIMEOUT" "SOURCES;NEEDS;LABELS" ${ARGN})
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${T_NAME} ${T_SOURCES})
  target_link_libraries(${T_NAME} PRIVATE ${T_NEEDS} GTest::gtest_main)
  # Asserts stay on in tests, whatever the build type.
  target_compile_options(${T_NAME} PRIVATE -UNDEBUG)
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 300)
  endif()
  if(SILT_SANITIZE)
    math(EXPR T_TIMEOUT "${T_TIMEOUT} * 3")  # slower, and the fault tests wait for a disk that others may keep busy
    target_compile_options(${T_NAME} PRIVATE -O0)  # most of a test's time is spent compiling it
  endif()
  if("unit" IN_LIST T_LABELS)
    add_dependencies(unit_tests ${T_NAME})
  endif()
  gtest_discover_tests(${T_NAME} DISCOVERY_MODE PRE_TEST 
    PROPERTIES LABELS "${T_LABELS}" TIMEOUT ${T_TIMEOUT}
    # Tests share the cores: a thread that waits must not spin.
    ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()
