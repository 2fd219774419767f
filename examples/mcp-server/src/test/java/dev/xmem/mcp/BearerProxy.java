package dev.xmem.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Adds a token to the requests of clients that cannot send one, one request per connection. Everything else, the {@code
 * Host} too, is passed on as it is.
 */
final class BearerProxy implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final int port;
    private final String token;

    BearerProxy(int port, String token) throws IOException {
        this.port = port;
        this.token = token;
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static Thread start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // the connection has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket server = new Socket("127.0.0.1", port)) {
            String head = head(client.getInputStream());
            String added = head.replaceAll("(?i)\r\nConnection:[^\r]*", "")
                    .replaceFirst("\r\n", "\r\nConnection: close\r\nAuthorization: Bearer " + token + "\r\n");
            server.getOutputStream().write(added.getBytes(StandardCharsets.ISO_8859_1));
            start(() -> copy(client.getInputStream(), server.getOutputStream()));
            copy(server.getInputStream(), client.getOutputStream());
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("no request");
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[8_192];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
