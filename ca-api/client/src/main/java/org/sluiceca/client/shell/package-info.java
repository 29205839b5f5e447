/** What a user's shell and a packager need of the commands: completion, manual pages, schemas. */
@NullMarked
package org.sluiceca.client.shell;

import org.jspecify.annotations.NullMarked;
