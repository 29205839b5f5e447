package org.sluiceca.api.platform.memory;

/** The part of the heap for objects that live for long. Thread-safe. */
interface OldGeneration {

  /** Returns how many bytes are used, by what lives and by what was not collected yet. */
  long used();

  /** Returns how many bytes it may have at most. */
  long max();

  /**
   * Arranges one call of {@link OldGenerationLimit#reached} when more than {@code bytes} are used.
   */
  void notifyAbove(long bytes);

  /**
   * Collects the whole heap. Stops all threads of the JVM meanwhile, and blocks until it is over.
   */
  void collect();
}
