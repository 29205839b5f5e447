/**
 * The signing plane alone: signatures a second and the time of each, by kind of key, alongside the
 * bare token. Run by {@code ./sluice load keyless}; entry: {@link
 * org.sluiceca.hsm.bench.keyless.KeylessBench}.
 */
@NullMarked
package org.sluiceca.hsm.bench.keyless;

import org.jspecify.annotations.NullMarked;
