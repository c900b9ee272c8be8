package io.metaroce.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** Does what another one does; for those that add something to a turn of the loop. */
class ForwardingIoHandler implements IoHandler {
    private final IoHandler inner;

    ForwardingIoHandler(IoHandler inner) {
        this.inner = inner;
    }

    @Override
    public void initialize() {
        inner.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return inner.run(context);
    }

    @Override
    public void prepareToDestroy() {
        inner.prepareToDestroy();
    }

    @Override
    public void destroy() {
        inner.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return inner.register(handle);
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return inner.isCompatible(type);
    }
}
