/* The analysis engine for a program with one thread, such as a page in a browser: analysis_steps.c fills in analysis.h,
 * in the place of analysis.c, and works only while analysis_step is called. The options `threads` and `at_once` mean
 * nothing there. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_STEPS_H
#define STIGMERGY_SELFPLAY_ANALYSIS_ANALYSIS_STEPS_H

#include "selfplay/analysis/analysis.h"

/* Searches for about this time, in seconds, and makes the reports that are due. Of several tasks the one with the
 * highest priority goes on; equal ones take turns. Returns whether there is more to do. */
bool analysis_step(Analysis *analysis, double seconds);

#endif
