package org.sluiceca.planted.child;

import org.jspecify.annotations.Nullable;
import org.sluiceca.planted.Parent;

/** Knows what is above it. */
public record Child(@Nullable Parent parent) {}
