package org.sluiceca.api.platform.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.util.Optional;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilterSupport;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Keeps the old generation of this JVM within {@link OldGenerationLimit}, if its collector is the
 * serial one; with others it does nothing, since those collect it in time. The JVM notifies when
 * the limit is reached, so nothing runs before. {@link #start} and {@link #close} once each.
 */
public final class OldGenerationWatch implements AutoCloseable {

  /** As the serial collector names it. */
  private static final String POOL = "Tenured Gen";

  private final Optional<MemoryPoolMXBean> pool =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(each -> each.getName().equals(POOL) && each.isUsageThresholdSupported())
          .findFirst();
  private final NotificationEmitter emitter =
      (NotificationEmitter) ManagementFactory.getMemoryMXBean();
  private final NotificationFilterSupport filter = new NotificationFilterSupport();
  private final NotificationListener listener = (notification, _) -> heard(notification);
  private final Optional<OldGenerationLimit> limit =
      pool.map(each -> new OldGenerationLimit(new Pool(each), System::nanoTime));

  /**
   * Collects the old generation and limits it to what was used before, or to what lives and a
   * little more, if that is more. Blocks for the collection, which stops the whole JVM for 0.1 to
   * 0.5 s.
   */
  public void start() {
    limit.ifPresent(
        each -> {
          filter.enableType(MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED);
          emitter.addNotificationListener(listener, filter, POOL);
          each.begin();
        });
  }

  private void heard(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data
        && MemoryNotificationInfo.from(data).getPoolName().equals(POOL)) {
      limit.ifPresent(OldGenerationLimit::reached);
    }
  }

  /** Leaves the old generation to the collector alone. */
  @Override
  public void close() {
    pool.ifPresent(each -> each.setUsageThreshold(0));
    try {
      emitter.removeNotificationListener(listener);
    } catch (ListenerNotFoundException e) {
      // Never started, or there is nothing to watch.
    }
  }

  private record Pool(MemoryPoolMXBean pool) implements OldGeneration {

    @Override
    public long used() {
      return pool.getUsage().getUsed();
    }

    @Override
    public long max() {
      return pool.getUsage().getMax();
    }

    @Override
    public void notifyAbove(long bytes) {
      pool.setUsageThreshold(bytes);
    }

    @Override
    public void collect() {
      System.gc();
    }
  }
}
