package org.sluiceca.load.run;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drive.Sender;
import org.sluiceca.load.drive.Targets;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.ProcessTimes;
import org.sluiceca.load.watch.TrialNodes;

/** Everything that a phase plays with: the trial, the HSM, and who sends. */
record Stage(
    TrialNodes nodes,
    HsmDevices hsms,
    Tokens tokens,
    NodeAddresses doors,
    Revocations revocations,
    Targets targets,
    Sender sender,
    PrintStream progress) {

  /** Of the one node whose word counts for all (docs/adr/0016). */
  private static final String LEADER = "ca_limiter_leader";

  /** Returns false: an order to an HSM takes no time. */
  boolean order(String hsm, List<String> words) {
    hsms.order(hsm, words);
    return false;
  }

  /** Returns false: a kill takes no time. */
  boolean kill(int node) {
    nodes.kill(node);
    return false;
  }

  /** Kills the node that says it leads; without one this version has no leader to kill. */
  boolean killLeader() {
    Optional<Integer> leader =
        nodes.living().stream()
            .filter(node -> doors.metrics(node).getOrDefault(LEADER, 0.0) > 0)
            .findFirst();
    return kill(leader.orElseThrow(() -> new TrialException("no node says " + LEADER)));
  }

  /** Starts nodes until {@code count} run; returns true, since it takes time. */
  boolean up(int count) {
    nodes.up(count);
    targets.aim(nodes.living());
    return true;
  }

  /** Has nodes run with the settings that a phase wants; restarts them if they do not. */
  void settings(Map<String, String> wanted) {
    if (nodes.have(wanted)) {
      say("nodes were restarted" + (wanted.isEmpty() ? "" : " with " + new TreeMap<>(wanted)));
      targets.aim(nodes.living());
    }
  }

  /** Revokes one certificate and waits for the CRLs; returns true: it takes its time. */
  boolean revoke() {
    revocations.revoke(nodes.living());
    return true;
  }

  ProcessTimes processTimes() {
    return ProcessTimes.read(nodes.pids(), nodes.file("postgres/data/postmaster.pid"));
  }

  void say(String what) {
    progress.println("sluice: " + what);
  }
}
