package org.sluiceca.api.platform.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.management.NotificationEmitter;
import javax.management.NotificationFilterSupport;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In JVMs of their own, since a collection is of a whole JVM. */
@Timeout(120)
class OldGenerationWatchTest {

  @Test
  void start_garbageInTheOldGeneration_isCollected() throws Exception {
    assertThat(run("-XX:+UseSerialGC", "watched")).isEqualTo("collected");
  }

  @Test
  void notStarted_theSame_staysThere() throws Exception {
    assertThat(run("-XX:+UseSerialGC", "alone")).isEqualTo("left");
  }

  @Test
  void start_otherCollector_doesNothing() throws Exception {
    assertThat(run("-XX:+UseParallelGC", "other")).isEqualTo("left");
  }

  private static String run(String collector, String how) throws IOException, InterruptedException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                collector,
                "-Xms16m",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Forgetful.class.getName(),
                how)
            .redirectErrorStream(true)
            .start();
    try {
      List<String> lines =
          new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(jvm.waitFor()).as("%s", lines).isZero();
      return lines.getLast();
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** Forgets each thing after the young generation has given it to the old one. */
  static final class Forgetful {

    private static final int KEPT = 8 * 1024;
    private static final int TIMES = 6;
    private static final int OCTETS = 1024;

    private Forgetful() {}

    public static void main(String[] arguments) throws InterruptedException {
      String how = arguments[0];
      Semaphore asked = new Semaphore(0);
      ManagementFactory.getGarbageCollectorMXBeans().forEach(bean -> hear(bean, asked));
      OldGenerationWatch watch = new OldGenerationWatch();
      if (!how.equals("alone")) {
        watch.start();
      }
      byte[][] kept = new byte[KEPT][];
      for (int i = 0; i < TIMES * KEPT; i++) {
        kept[i % KEPT] = new byte[OCTETS];
      }
      boolean isCollected;
      if (how.equals("watched")) {
        // At the start, and when the garbage has come.
        isCollected = asked.tryAcquire(2, 60, TimeUnit.SECONDS);
      } else {
        // Notifications come in order: behind this one there is none to wait for.
        System.gc();
        isCollected = !asked.tryAcquire(60, TimeUnit.SECONDS) || asked.availablePermits() > 0;
      }
      System.out.println(isCollected ? "collected" : "left");
    }

    private static void hear(GarbageCollectorMXBean bean, Semaphore asked) {
      NotificationFilterSupport filter = new NotificationFilterSupport();
      filter.enableType(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION);
      ((NotificationEmitter) bean)
          .addNotificationListener(
              (notification, _) -> {
                if (GarbageCollectionNotificationInfo.from(
                        (CompositeData) notification.getUserData())
                    .getGcCause()
                    .equals("System.gc()")) {
                  asked.release();
                }
              },
              filter,
              "");
    }
  }
}
