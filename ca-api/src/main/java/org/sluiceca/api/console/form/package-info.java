/**
 * Forms of the console: their fields, the token that another site cannot know, and the cookies that
 * come with them. Knows nothing of pages or sessions.
 */
@NullMarked
package org.sluiceca.api.console.form;

import org.jspecify.annotations.NullMarked;
