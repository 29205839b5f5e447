package org.sluiceca.load.drill.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.watch.Command;

/**
 * Copies of clusters: of a running one, by PostgreSQL's low-level way (its manual, "Making a Base
 * Backup Using the Low Level API"), and of a copy.
 */
public final class ClusterCopy {

  /** Folders copied empty, as that section says: a server or the archive provides the contents. */
  private static final Set<String> EMPTY =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_stat_tmp",
          "pg_subtrans");

  private static final Set<String> ABSENT =
      Set.of("postmaster.pid", "postmaster.opts", "pg_internal.init");

  private ClusterCopy() {}

  /**
   * Copies a running server's cluster into the folder of another, which does not run; blocks until
   * the archive, if there is one, has what the copy needs.
   */
  public static void take(PostgresServer source, PostgresServer target) {
    try (Connection connection = source.superuser();
        Statement statement = connection.createStatement()) {
      boolean ignored = statement.execute("SELECT pg_backup_start('drill', true)");
      copy(source.cluster(), target.cluster());
      try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(true)")) {
        if (!row.next()) {
          throw new TrialException("the base backup has no label");
        }
        target.write("backup_label", row.getString(1));
      }
    } catch (SQLException e) {
      throw new TrialException("no base backup of " + source.cluster(), e);
    }
  }

  /** Copies a folder with owners and modes; what vanishes meanwhile is not needed. */
  public static void copy(Path from, Path to) {
    try {
      Path ignored =
          Files.walkFileTree(
              from,
              new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a)
                    throws IOException {
                  Path made = copyOne(from, to, folder);
                  return EMPTY.contains(String.valueOf(made.getFileName()))
                      ? FileVisitResult.SKIP_SUBTREE
                      : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes a)
                    throws IOException {
                  String name = String.valueOf(file.getFileName());
                  if (!ABSENT.contains(name) && !name.startsWith("pgsql_tmp")) {
                    Path ignored = copyOne(from, to, file);
                  }
                  return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e)
                    throws IOException {
                  if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                  }
                  throw e;
                }
              });
    } catch (IOException e) {
      throw new TrialException("cannot copy " + from, e);
    }
  }

  private static Path copyOne(Path from, Path to, Path path) throws IOException {
    Path target = to.resolve(from.relativize(path));
    try {
      return Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
    } catch (NoSuchFileException e) {
      if (Files.exists(path)) {
        throw e;
      }
      return target;
    }
  }

  /** Removes a folder, if it is there. */
  public static void delete(Path folder) {
    String ignored =
        Command.run(List.of("rm", "-rf", folder.toString()), Map.of(), Duration.ofMinutes(2));
  }
}
