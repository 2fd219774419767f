package dev.xmem.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire to a server that can fall silent: it takes connections and bytes, and passes nothing on. */
final class Wire implements AutoCloseable {
    private final ServerSocket accepts;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    Wire(int target) throws IOException {
        this.target = target;
        this.accepts = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return accepts.getLocalPort();
    }

    void silent(boolean now) {
        silent = now;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "wire");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = accepts.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                start(() -> pass(client, server));
                start(() -> pass(server, client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                while (silent) {
                    Thread.sleep(10);
                }
                out.write(bytes, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            // closed by one of them
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        accepts.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
