/**
 * Who is signed in to the console: a cookie of 256 random bits stands for a session that every node
 * honours. Entry: {@link org.sluiceca.api.console.session.Sessions}. What a session may do is read
 * from its credential at each request.
 */
@NullMarked
package org.sluiceca.api.console.session;

import org.jspecify.annotations.NullMarked;
