/**
 * What this node measures, for people: {@link org.sluiceca.api.console.live.feed.LiveFeed} reads it
 * once a second and only while a page is open, and {@link
 * org.sluiceca.api.console.live.feed.Verdict} names what limits the node. Knows no page.
 */
@NullMarked
package org.sluiceca.api.console.live.feed;

import org.jspecify.annotations.NullMarked;
