/**
 * The first-run dialogue: asks or takes flags, checks each answer, has the ceremony's steps do what
 * is missing, and writes a node's configuration last (docs/adr/0079-setup.md).
 *
 * <p>Entry class: {@link org.sluiceca.api.cli.setup.SetupCommand}. Makes no key, certificate or row
 * itself: that is the ceremony's.
 */
@NullMarked
package org.sluiceca.api.cli.setup;

import org.jspecify.annotations.NullMarked;
