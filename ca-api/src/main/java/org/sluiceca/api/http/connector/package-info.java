/**
 * How connections are taken, bounded and cut: Tomcat's NIO connector with limits of our own, and
 * what it answers before a request reaches the application. Entry: {@link
 * org.sluiceca.api.http.connector.BoundedProtocol}, named to Tomcat by the wiring. Knows nothing of
 * what is asked.
 */
@NullMarked
package org.sluiceca.api.http.connector;

import org.jspecify.annotations.NullMarked;
