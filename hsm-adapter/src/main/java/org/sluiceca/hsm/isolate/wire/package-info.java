/**
 * The bytes between a node and the process that runs its PKCS#11 module: frames with a length in
 * front, bounded and read strictly, a version in the greeting, numbers to match answers by.
 *
 * <p>Entry class: {@link org.sluiceca.hsm.isolate.wire.FrameChannel}. Knows nothing of processes.
 */
@NullMarked
package org.sluiceca.hsm.isolate.wire;

import org.jspecify.annotations.NullMarked;
