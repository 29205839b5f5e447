/**
 * The live page: how requests come through this node, from their arrival to the certificate. {@link
 * org.sluiceca.api.console.live.LiveFeed} reads what the node measures anyway, once a second and
 * only while a page is open; {@link org.sluiceca.api.console.live.LiveStreams} brings it to
 * browsers.
 */
@NullMarked
package org.sluiceca.api.console.live;

import org.jspecify.annotations.NullMarked;
