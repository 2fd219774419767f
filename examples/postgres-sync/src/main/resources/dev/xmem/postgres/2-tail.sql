create index stream_changed on stream (changed);
