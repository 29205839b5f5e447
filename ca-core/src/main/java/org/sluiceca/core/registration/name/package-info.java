/** Names that a certificate is to have, and sets of them. */
@NullMarked
package org.sluiceca.core.registration.name;

import org.jspecify.annotations.NullMarked;
