package org.sluiceca.api.hsm.token;

import java.time.Duration;

/**
 * The settings of a token where its entry says nothing.
 *
 * @param sessions 0 for as many as its window may need
 * @param isolated whether the module runs in a process of its own
 */
public record TokenDefaults(
    int sessions, int queueCapacity, Duration callTimeout, boolean isolated) {}
