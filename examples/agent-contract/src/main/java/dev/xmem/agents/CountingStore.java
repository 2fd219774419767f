package dev.xmem.agents;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose guard counts the repeats of a call by itself, so that a test depends only on the adapter. */
final class CountingStore {
    private CountingStore() {}

    static XMemStore of(XMemStore store) {
        ToolGuard guard = guard(store.guard());
        return proxy(XMemStore.class, store, (name, arguments, result) -> name.equals("guard") ? guard : result);
    }

    private static ToolGuard guard(ToolGuard guard) {
        Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
        return proxy(ToolGuard.class, guard, (name, arguments, result) -> {
            if (!name.equals("failed")) {
                return result;
            }
            String action = ((ToolCall) arguments[0]).action();
            int repeats =
                    calls.computeIfAbsent(action, absent -> new AtomicInteger()).incrementAndGet();
            return proxy(
                    Advice.class,
                    (Advice) result,
                    (method, none, value) -> method.equals("repeats") ? Integer.valueOf(repeats) : value);
        });
    }

    /** What a method returns instead. */
    private interface Change {
        Object result(String method, Object[] arguments, Object result);
    }

    private static <T> T proxy(Class<T> type, T target, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return change.result(method.getName(), arguments, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
