package dev.xmem.core.base.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteCacheTest {
    /** Its old value must not count: else a value that is replaced often fills the cache, and the last stays out. */
    @Test
    void put_sameKeyAgain_isReplaced() {
        ByteCache cache = new ByteCache(100);
        cache.put("key", "old", 60);
        cache.put("key", "new", 60);
        assertThat(cache.get("key")).isEqualTo("new");
        cache.put("other", "value", 41);
        assertThat(cache.get("other")).isNull();
        cache.put("other", "value", 40);
        assertThat(cache.get("other")).isEqualTo("value");
    }
}
