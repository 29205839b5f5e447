package org.sluiceca.mutant.x509;

import org.sluiceca.mutant.plan.IssuancePlan;

/** An early package that knows a later one, which knows it: a cycle too. */
public record ImportsLater(IssuancePlan plan) {}
