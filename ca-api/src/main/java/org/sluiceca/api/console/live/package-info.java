/**
 * The live pages: how requests come through this node, from their arrival to the certificate, and
 * how the other nodes stand. {@link org.sluiceca.api.console.live.LiveStreams} brings what {@code
 * feed} and {@code nodes} know to browsers.
 */
@NullMarked
package org.sluiceca.api.console.live;

import org.jspecify.annotations.NullMarked;
