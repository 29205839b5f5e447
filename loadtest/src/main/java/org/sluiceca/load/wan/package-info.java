/**
 * What is between clients and nodes: nothing, a proxy that delays whole connections, or packets
 * that go through {@code loadtest/wan}. Entry: {@link org.sluiceca.load.wan.Wan}.
 */
@NullMarked
package org.sluiceca.load.wan;

import org.jspecify.annotations.NullMarked;
