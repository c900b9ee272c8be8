package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestIndexTest {
    private final RequestIndex index = new RequestIndex();
    private final List<Peering> peers = Peers.of(List.of(1, 2, 3));

    @Test
    @Covers("R-CONN-003")
    void aRequestFindsTheConnectionItHasMadeAndNoOther() {
        index.put(7, 70, peers.get(0));
        index.put(7, 71, peers.get(1));
        index.put(8, 70, peers.get(2));
        assertThat(index.get(7, 70)).isSameAs(peers.get(0));
        assertThat(index.get(7, 71)).isSameAs(peers.get(1));
        assertThat(index.get(8, 70)).isSameAs(peers.get(2));
        assertThat(index.get(8, 71)).isNull();
    }

    @Test
    void whatIsForgottenIsNotFound() {
        index.remove(peers.get(0)); // one that nobody has asked for
        index.put(7, 70, peers.get(0));
        index.put(7, 71, peers.get(1));
        index.remove(peers.get(0));
        assertThat(index.get(7, 70)).isNull();
        assertThat(index.get(7, 71)).isSameAs(peers.get(1));
    }
}
