/**
 * What the run and Gatling's JVM tell each other, by files in one folder: what is to be sent, when
 * the time began, and what came of each request. Used by both; knows neither. Entry: {@link
 * org.sluiceca.load.scenario.wire.Terms} and {@link org.sluiceca.load.scenario.wire.RecordFile}.
 */
@NullMarked
package org.sluiceca.load.scenario.wire;

import org.jspecify.annotations.NullMarked;
