package dev.xmem.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The place of the program {@code xmem}. */
@Command(name = "xmem", mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        System.out.println("The program xmem is not there yet.");
    }
}
