package org.sluiceca.load.scenario.judge;

/** The same look with more of something. */
final class Looks {

  private Looks() {}

  static NodeLook rss(NodeLook was, double more) {
    return more(was, more, 0, 0, 0);
  }

  static NodeLook threads(NodeLook was, int more) {
    return more(was, 0, more, 0, 0);
  }

  static NodeLook files(NodeLook was, int more) {
    return more(was, 0, 0, more, 0);
  }

  static NodeLook depth(NodeLook was, int more) {
    return more(was, 0, 0, 0, more);
  }

  private static NodeLook more(NodeLook was, double rss, int threads, int files, int depth) {
    return new NodeLook(
        was.epochMillis(),
        was.node(),
        was.pid(),
        was.rssMegabytes() + rss,
        was.threads() + threads,
        was.files() + files,
        was.depth() + depth,
        was.waiting(),
        was.oldestSeconds(),
        was.inflight(),
        was.limit(),
        was.utilization(),
        was.waitSeconds(),
        was.waits(),
        was.hsmQueue());
  }
}
