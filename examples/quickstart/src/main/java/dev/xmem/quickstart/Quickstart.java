package dev.xmem.quickstart;

/** The place of the quickstart. */
public final class Quickstart {
    private Quickstart() {}

    public static void main(String[] args) {
        System.out.println("The quickstart is not there yet.");
    }
}
