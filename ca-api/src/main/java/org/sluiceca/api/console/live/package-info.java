/**
 * The live page: how requests come through this node, from their arrival to the certificate. {@link
 * org.sluiceca.api.console.live.LiveStreams} brings what {@code feed} knows to browsers.
 */
@NullMarked
package org.sluiceca.api.console.live;

import org.jspecify.annotations.NullMarked;
