# Copies the engine with all mutants in it, anew whenever a source or the table changes.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(mutants_folder ${CMAKE_CURRENT_LIST_DIR})
set(mutated_folder ${CMAKE_BINARY_DIR}/mutated)
file(GLOB_RECURSE copied CONFIGURE_DEPENDS ${engine_folder}/*)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${copied} ${mutants_folder}/mutants.py ${mutants_folder}/mutants.txt)
execute_process(COMMAND ${Python3_EXECUTABLE} ${mutants_folder}/mutants.py ${engine_folder} ${mutated_folder}/engine
                COMMAND_ERROR_IS_FATAL ANY)
set(engine_folder ${mutated_folder}/engine)
target_include_directories(limber_flags INTERFACE ${mutated_folder})
