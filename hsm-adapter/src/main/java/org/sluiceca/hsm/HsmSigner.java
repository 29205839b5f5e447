package org.sluiceca.hsm;

import java.util.Collection;
import java.util.List;
import org.sluiceca.hsm.isolate.IsolatedCryptoki;
import org.sluiceca.hsm.lane.LaneSupervisor;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;

/** One PKCS#11 token that signs, behind a bounded lane. */
public final class HsmSigner implements TokenSigner {
  private final LaneSupervisor supervisor;

  /** Ends the module's process, if it has one. */
  private final Runnable endModule;

  private HsmSigner(LaneSupervisor supervisor, Runnable endModule) {
    this.supervisor = supervisor;
    this.endModule = endModule;
  }

  /**
   * Opens the token without asking for any key: keys are then looked for when they are first used.
   *
   * @throws HsmException as {@link #open(HsmSettings, Collection, HsmObserver)}
   */
  public static HsmSigner open(HsmSettings settings, HsmObserver observer) {
    return open(settings, List.of(), observer);
  }

  /**
   * Loads the module, finds the token by its label, logs in, looks for the keys and starts the
   * session threads. Blocks as long as the token takes, and up to 30 s while other processes of
   * this machine log in; an isolated module also up to 20 s for its process to start.
   *
   * @param keys what to look for: {@link #keys} tells which are there, so that who is to sign with
   *     one that is not can say so before the first request has been accepted
   * @throws HsmException with one clear line: module or token missing, PIN unreadable or refused
   */
  public static HsmSigner open(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer) {
    if (settings.isolated()) {
      return openIsolated(settings, keys, observer);
    }
    return open(settings, keys, observer, WrapperCryptoki.load(settings.module()));
  }

  private static HsmSigner openIsolated(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer) {
    IsolatedCryptoki module =
        IsolatedCryptoki.start(settings.module(), settings.tokenLabel(), observer);
    boolean isOpen = false;
    try {
      HsmSigner signer =
          new HsmSigner(LaneSupervisor.start(settings, keys, observer, module), module::close);
      isOpen = true;
      return signer;
    } finally {
      if (!isOpen) {
        module.close();
      }
    }
  }

  static HsmSigner open(HsmSettings settings, HsmObserver observer, Cryptoki cryptoki) {
    return open(settings, List.of(), observer, cryptoki);
  }

  static HsmSigner open(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer, Cryptoki cryptoki) {
    return new HsmSigner(LaneSupervisor.start(settings, keys, observer, cryptoki), () -> {});
  }

  /**
   * {@inheritDoc}
   *
   * <p>A failure before C_Sign is tried once more inside; nothing else is. {@link
   * HsmException.Saturated} and a lost token are reported at once, without touching the token.
   */
  @Override
  public byte[] sign(SignRequest request) {
    return supervisor.lane().sign(request);
  }

  /**
   * What this node has seen of the token since it was last asked, for the leader of the token's
   * nodes. Does not block; to be asked by one thread, once a second.
   *
   * @param node this process, told from every other
   */
  public NodeReport report(String node) {
    return supervisor.lane().report(node);
  }

  /**
   * Uses a lease in place of the window that the node finds by itself, which must be a steered one.
   * Does not block. A lease that is over, or older than the one in use, changes nothing.
   *
   * @param untilNanos when it ends, on {@link System#nanoTime}'s scale
   */
  public void lease(Grant grant, long untilNanos) {
    supervisor.lane().lease(grant, untilNanos);
  }

  @Override
  public HsmStats stats() {
    return supervisor.stats();
  }

  @Override
  public KeyFindings keys() {
    return supervisor.keys();
  }

  /**
   * {@inheritDoc} The module is never finalised; that of an isolated module ends with its process,
   * which is given 3 s.
   */
  @Override
  public void close() {
    supervisor.close();
    endModule.run();
  }
}
