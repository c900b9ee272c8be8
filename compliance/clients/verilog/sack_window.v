// The receiver's window of one path: which slots have been accepted (chapter 4.4 of the specification, steps 8, 10, 11).
// One slot number in, one verdict out, in one clock. No memory besides the edge and 256 bits, and nothing of other paths.
//
// BUG plants a fault, for the bench to find: 1 the window reaches one slot too far, 2 a late slot is taken as new.
module sack_window #(parameter BUG = 0) (
    input  wire         clock,
    input  wire         reset,      // synchronous; the edge becomes first_psn (R-PATH-001)
    input  wire [31:0]  first_psn,
    input  wire         valid,      // psn is to be judged in this clock
    input  wire [31:0]  psn,
    output reg  [1:0]   verdict,    // of the last valid psn
    output reg  [31:0]  cum_psn,    // every slot before it was accepted, it itself was not (R-SACK-001)
    output reg  [255:0] bitmap      // bit i stands for cum_psn + i (R-SACK-004)
);
    localparam [1:0] ACCEPT = 2'd0, DUPLICATE = 2'd1, BEYOND = 2'd2;

    // R-PATH-002: the difference is taken modulo 2^32; its highest bit says that the slot lies before the edge.
    wire [31:0] ahead     = psn - cum_psn;
    wire        is_late   = (BUG == 2) ? 1'b0 : ahead[31];
    // R-PATH-004: the window ends with cum_psn + 255.
    wire        is_beyond = !ahead[31] && ahead >= ((BUG == 1) ? 32'd257 : 32'd256);
    // R-PATH-005: what has its bit set, or lies before the edge, has been accepted before.
    wire        is_new    = !is_late && !is_beyond && !bitmap[ahead[7:0]];

    wire [255:0] filled = bitmap | (is_new ? (256'd1 << ahead[7:0]) : 256'd0);

    // How many slots from the edge on are there now: the number of ones at the low end, 0 to 256.
    function [8:0] run(input [255:0] bits);
        integer i;
        reg     whole;
        begin
            run   = 9'd0;
            whole = 1'b1;
            for (i = 0; i < 256; i = i + 1) begin
                whole = whole & bits[i];
                run   = run + {8'd0, whole};
            end
        end
    endfunction

    wire [8:0] advance = run(filled);

    always @(posedge clock) begin
        if (reset) begin
            verdict <= ACCEPT;
            cum_psn <= first_psn;
            bitmap  <= 256'd0;
        end else if (valid) begin
            verdict <= is_beyond ? BEYOND : is_new ? ACCEPT : DUPLICATE;
            // R-SACK-003: the edge moves forward only, and no bit before it is asked for again.
            cum_psn <= cum_psn + {23'd0, advance};
            bitmap  <= filled >> advance;
        end
    end
endmodule
