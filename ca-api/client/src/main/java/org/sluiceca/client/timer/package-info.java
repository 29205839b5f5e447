/** What has a system run a command of the client again and again: systemd, launchd, Windows. */
@NullMarked
package org.sluiceca.client.timer;

import org.jspecify.annotations.NullMarked;
