package org.sluiceca.hsm.limit;

/**
 * A lease of a part of a token's window.
 *
 * @param node whose it is
 * @param number higher than that of every grant before it, those of earlier leaders included
 * @param width jobs that the node may have in the token
 */
public record Grant(String node, long number, double width) {}
