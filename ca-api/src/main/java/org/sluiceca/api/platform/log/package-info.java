/**
 * The form of log lines, and bounds of what stands in log files: characters of a text, lines of a
 * logger. Entry: {@link org.sluiceca.api.platform.log.LogLineLimit}. Knows the logging framework
 * and nothing of this service.
 */
@NullMarked
package org.sluiceca.api.platform.log;

import org.jspecify.annotations.NullMarked;
