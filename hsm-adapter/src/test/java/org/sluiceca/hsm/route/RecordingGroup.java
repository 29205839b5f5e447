package org.sluiceca.hsm.route;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;

/** Records what was reported to it. */
final class RecordingGroup implements GroupObserver {
  final Map<String, Supplier<TokenStatus>> added = new ConcurrentHashMap<>();
  final List<String> joined = new CopyOnWriteArrayList<>();
  final List<String> away = new CopyOnWriteArrayList<>();
  final List<String> left = new CopyOnWriteArrayList<>();
  final List<String> mismatches = new CopyOnWriteArrayList<>();
  final List<String> failovers = new CopyOnWriteArrayList<>();

  @Override
  public HsmObserver added(String token, Supplier<TokenStatus> status) {
    added.put(token, status);
    return HsmObserver.NONE;
  }

  @Override
  public void joined(String token) {
    joined.add(token);
  }

  @Override
  public void away(String token, HsmException why) {
    away.add(token + ": " + why.getMessage());
  }

  @Override
  public void left(String token) {
    left.add(token);
  }

  @Override
  public void keyMismatch(String token, KeyRef key) {
    mismatches.add(token + " " + key.id());
  }

  @Override
  public void failedOver(String to, HsmException why) {
    failovers.add(to + " after " + why.getMessage());
  }
}
