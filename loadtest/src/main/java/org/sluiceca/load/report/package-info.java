/** Results for people and programs: a table, Markdown, JSON, and plots that gnuplot draws. */
@NullMarked
package org.sluiceca.load.report;

import org.jspecify.annotations.NullMarked;
