# One place for how every room is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Asserts are for our own bugs. They stay on except in Release.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(SILT_CCACHE ccache)
if(SILT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${SILT_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${SILT_CCACHE}")
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)

add_library(silt_flags INTERFACE)
target_include_directories(silt_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(silt_flags INTERFACE OpenMP::OpenMP_CXX)
target_compile_definitions(silt_flags INTERFACE SILT_VERSION="${PROJECT_VERSION}")
if(SILT_NATIVE)
  set(silt_arch -march=native)
else()
  set(silt_arch -march=x86-64-v3)
endif()
set(silt_warnings -Wall -Wextra -Wshadow=local -Wno-unknown-pragmas -Wno-restrict)  # GCC 12 sees -Wrestrict in "a" + std::string (bug 105651)
if(SILT_WERROR)
  list(APPEND silt_warnings -Werror)
endif()
# -ffp-contract=off keeps a*b+c the same bits wherever the optimiser meets it: vector body, scalar tail, any inlining.
set(silt_codegen ${silt_arch} -ffp-contract=off -fno-math-errno -fno-trapping-math)
foreach(flag IN LISTS silt_codegen silt_warnings)
  target_compile_options(silt_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
endforeach()

if(SILT_SANITIZE)
  target_compile_options(silt_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SILT_SANITIZE}> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  target_link_options(silt_flags INTERFACE -fsanitize=${SILT_SANITIZE})
endif()

if(SILT_FUZZERS)
  target_compile_options(silt_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

if(SILT_CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(CMAKE_CUDA_COMPILER nvcc HINTS /usr/local/cuda/bin)
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it of nvcc
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  find_package(CUDAToolkit REQUIRED)
  target_compile_definitions(silt_flags INTERFACE SILT_CUDA=1)
  foreach(flag IN LISTS silt_arch)
    target_compile_options(silt_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>")
  endforeach()
  target_compile_options(silt_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off,-fno-math-errno,-fno-trapping-math,-fopenmp,-Wall,-Wno-unknown-pragmas>"
    "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>" "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=554,20012,20013,20014,20015>")
  target_link_libraries(silt_flags INTERFACE CUDA::cudart)
endif()
