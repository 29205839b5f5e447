/**
 * What every report is made of: text that is the same on every machine, tables, Markdown pages,
 * JSON documents and pictures by gnuplot. Knows nothing of what is reported.
 */
@NullMarked
package org.sluiceca.load.page;

import org.jspecify.annotations.NullMarked;
