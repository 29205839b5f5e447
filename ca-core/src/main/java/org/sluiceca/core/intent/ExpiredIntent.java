package org.sluiceca.core.intent;

import java.time.Instant;

/** A pending intent taken over from an owner that let its claim run out. */
public record ExpiredIntent(RecordedIntent intent, Instant recordedAt) {}
