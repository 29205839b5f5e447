package org.sluiceca.core.intent;

import java.time.Duration;

/**
 * A pending intent taken over from an owner that let its claim run out.
 *
 * @param age since it was recorded, in the database's time: a node's clock may have been set
 */
public record ExpiredIntent(RecordedIntent intent, Duration age) {}
