extension PostgresMigrations {
    // Links to channels other than our own, and until when those accept what a business writes. Programs of version
    // 3 serve none of these links, and send what they are asked to; WhatsApp itself refuses what comes too late.
    static let channels = """
        CREATE TABLE channel_links (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bytea NOT NULL UNIQUE,
            business bytea NOT NULL, side text COLLATE "C" NOT NULL, msp_id text COLLATE "C" NOT NULL,
            secret bytea NOT NULL, url text COLLATE "C" NOT NULL, settings bytea NOT NULL,
            created_at bigint NOT NULL, UNIQUE (business, side));
        ALTER TABLE upstream_conversations ADD COLUMN free_form_until bigint;
        """
}
