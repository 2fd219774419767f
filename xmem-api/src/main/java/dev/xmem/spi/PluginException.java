package dev.xmem.spi;

import org.jspecify.annotations.Nullable;

/** A plug-in returned a value that its interface forbids. This is an error in the code of the plug-in. */
public final class PluginException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String plugin;
    private final String method;

    /**
     * Creates an exception about a method of a plug-in.
     *
     * @param plugin the class of the plug-in
     * @param id its {@code id()}; empty if it has none
     * @param method the name of the method
     * @param must what the method must return
     * @param returned what it returned
     */
    public PluginException(Class<?> plugin, String id, String method, String must, @Nullable Object returned) {
        super(plugin.getName() + "." + method + "()" + (id.isEmpty() ? "" : " of the plug-in " + id) + " must return "
                + must + ", not " + returned + ". Correct the plug-in, or open the store without it.");
        this.plugin = plugin.getName();
        this.method = method;
    }

    /** Returns the name of the plug-in's class. */
    public String plugin() {
        return plugin;
    }

    /** Returns the name of the method. */
    public String method() {
        return method;
    }
}
