/**
 * The page that finds certificates, and the files of what was found. Entry: {@link
 * org.sluiceca.api.console.work.find.FindPageController}.
 */
@NullMarked
package org.sluiceca.api.console.work.find;

import org.jspecify.annotations.NullMarked;
