/**
 * What must hold of CRLs and OCSP answers that were fetched from several nodes, judged as they
 * come: {@link org.sluiceca.load.soak.judge.LineJudge} the CRLs of one scope, {@link
 * org.sluiceca.load.soak.judge.OcspJudge} the answers, both by what {@link
 * org.sluiceca.load.soak.judge.ExpectedState} knows was asked for and confirmed. Pure: no clock, no
 * network.
 */
@NullMarked
package org.sluiceca.load.soak.judge;

import org.jspecify.annotations.NullMarked;
