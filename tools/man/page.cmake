# Makes a manual page: cmake -DPROGRAM=stigmergy -DVERSION=1.2.3 -DIN=stigmergy-komi.1.in -DOUT=stigmergy-komi.1 -P page.cmake
#
# A line @OPTIONS@ of the page becomes the options of its command, and a line @COMMANDS@ the list of the commands, as the
# program itself describes them (tools/cli/describe.h).
cmake_minimum_required(VERSION 3.22)
file(READ ${IN} page)
get_filename_component(name ${IN} NAME)
string(REGEX REPLACE "^stigmergy-?([a-z]*)\\..*" "\\1" command ${name})

# insert(MARK argument...): puts what `stigmergy --describe man argument...` prints in the place of a line.
function(insert mark)
  if(page MATCHES "${mark}")
    execute_process(COMMAND ${PROGRAM} --describe man ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "${mark}\n" "${text}" page "${page}")
    set(page "${page}" PARENT_SCOPE)
  endif()
endfunction()
insert(@OPTIONS@ ${command})
insert(@COMMANDS@)
string(REPLACE "@VERSION@" "${VERSION}" page "${page}")
file(WRITE ${OUT} "${page}")
