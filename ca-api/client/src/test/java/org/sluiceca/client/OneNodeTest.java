package org.sluiceca.client;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.http.LoopbackService;

/** Tests of commands that ask one node: each test has a service and a folder of its own. */
public abstract class OneNodeTest {
  @TempDir protected Path folder;
  protected LoopbackService server;
  protected CommandRun run;

  @BeforeEach
  final void startNode() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
  }

  @AfterEach
  final void stopNode() {
    server.close();
  }
}
