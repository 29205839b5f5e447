/**
 * Sends requests on a schedule, whatever becomes of the ones before, and keeps what came of each.
 * Knows HTTP over TLS and no other thing of the product. Entry: {@link
 * org.sluiceca.load.drive.OpenLoop}.
 */
@NullMarked
package org.sluiceca.load.drive;

import org.jspecify.annotations.NullMarked;
