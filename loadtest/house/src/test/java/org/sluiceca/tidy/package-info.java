/**
 * House rules that no compiler holds, read from the checkout itself. Entry: {@link
 * org.sluiceca.tidy.TidyTest}; {@link org.sluiceca.tidy.TidyMutantTest} shows that each rule can
 * fail. Depends on no other module: it reads their text.
 */
@NullMarked
package org.sluiceca.tidy;

import org.jspecify.annotations.NullMarked;
