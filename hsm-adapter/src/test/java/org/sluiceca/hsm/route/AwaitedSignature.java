package org.sluiceca.hsm.route;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.StartedSignature;

/** A signature that the thread that waits for it makes. */
final class AwaitedSignature implements StartedSignature {
  private final Supplier<byte[]> work;
  private byte @Nullable [] signature;
  private @Nullable HsmException failure;

  AwaitedSignature(Supplier<byte[]> work) {
    this.work = work;
  }

  @Override
  public boolean isUnderWay() {
    return false;
  }

  @Override
  public boolean await(long untilNanos) {
    try {
      signature = work.get();
    } catch (HsmException e) {
      failure = e;
    }
    return true;
  }

  @Override
  public byte[] result() {
    if (failure != null) {
      throw failure;
    }
    if (signature == null) {
      throw new IllegalStateException("read before it has ended");
    }
    return signature;
  }

  @Override
  public HsmException abandon() {
    return new HsmException.Closed();
  }
}
