package org.sluiceca.planted;

import org.sluiceca.planted.child.Child;

/** Knows what is below it. */
public record Parent(Child child) {}
