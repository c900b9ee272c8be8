// Drives the window from standard input: the first number is the first PSN, each further one a slot that arrives, in
// hexadecimal. After each one line: verdict, edge, bitmap. So any program that can hold a pipe is the other half.
module testbench;
    parameter BUG = 0;
    localparam STDIN = 32'h8000_0000;

    reg          clock = 1'b0;
    reg          reset = 1'b1;
    reg          valid = 1'b0;
    reg  [31:0]  number;
    wire [1:0]   verdict;
    wire [31:0]  cum_psn;
    wire [255:0] bitmap;
    integer      got;

    sack_window #(.BUG(BUG)) dut (
        .clock(clock), .reset(reset), .first_psn(number), .valid(valid), .psn(number),
        .verdict(verdict), .cum_psn(cum_psn), .bitmap(bitmap));

    initial begin
        got = $fscanf(STDIN, "%h", number);
        while (got == 1) begin
            valid = !reset;
            #1 clock = 1'b1;
            #1 clock = 1'b0;
            reset = 1'b0;
            $display("%0d %08h %064h", verdict, cum_psn, bitmap);
            $fflush;
            got = $fscanf(STDIN, "%h", number);
        end
        $finish;
    end
endmodule
